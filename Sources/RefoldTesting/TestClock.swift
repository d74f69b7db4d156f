import Refold
