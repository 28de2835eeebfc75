"""The protocol of gadgets, alternative values and gifts, gadget games and behaviour from their solutions."""
