// A place for what tests share.
