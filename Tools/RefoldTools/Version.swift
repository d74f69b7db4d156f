/// The version of Refold and of the command lines built on it.
let refoldVersion = "0.1.0"
