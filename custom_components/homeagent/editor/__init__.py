"""The steps of the editor of sequences, by their subject; an entrance.

`sequence_options` makes one options flow of them. What they decide is decided in
`editing`; here it is shown, asked and kept.
"""
