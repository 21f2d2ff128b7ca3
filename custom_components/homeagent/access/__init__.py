"""Access: who may do what. Pure Python; imports the kernel only."""
