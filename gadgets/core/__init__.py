"""What a gadget is, what it offers, and how its solution is read back."""
