"""What the scripts share that hold the program's tokens against the reference's."""
