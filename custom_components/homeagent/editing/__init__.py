"""What the editor of sequences decides: form values to AST and back, plans, drafts.

Pure data in, data out; imports the kernel and the language, never Home Assistant. The
flows in `sequence_options` and `editor` act on what is decided here.
"""
