"""The same tokens, vectors and logits as the reference implementation gives."""
