// What Swift cannot import from SQLite's own header: variadic functions and function-like macros.
#pragma once
#include <sqlite3.h>
