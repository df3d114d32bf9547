// The module declares nothing.
