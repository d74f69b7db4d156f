// Gives a container of the standard library's back to a coder that has kept it.
//
// Nothing to call from C: Refold declares these for itself, with the container as their result, in
// Sources/Refold/Codec/Reuse/ContainerReference.swift, which says why.
#ifndef REFOLD_CONTAINERS_H
#define REFOLD_CONTAINERS_H
#endif
