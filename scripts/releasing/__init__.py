"""Makes a release: versions, the changelog's section, the zip, and a trial of it.

`command` is what people call; the other modules do one thing each and import nothing of
each other but `errors`.
"""
