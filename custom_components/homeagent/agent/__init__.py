"""Our own conversation agent: from what a person says to what is answered.

Beside `tools`, below `conversation.py`; never imports the runtime or an entrance. What it
needs of them comes in through the ports of `ports`.
"""
