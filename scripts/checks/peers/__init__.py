"""How good it is: accuracies, promises and speed beside other programs and beside its own other ways."""
