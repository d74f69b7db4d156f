// Lets a program with dispatch queues run under valgrind; see the .c file. Nothing is to be called.
#pragma once
