/* The end of a capsule with a DLPack tensor. It runs where an exception may be on its way, so no Python may run in it.
 */
#ifndef BRISTLE_CAPSULE_H
#define BRISTLE_CAPSULE_H

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* PyCapsule_IsValid and PyCapsule_GetPointer of the interpreter, which this library does not link. */
void bristle_capsule_interpreter(int (*is_valid)(void *capsule, const char *name),
                                 void *(*pointer)(void *capsule, const char *name));
/* A capsule's destructor: a tensor that nobody took is still called "dltensor", and is given back. */
void bristle_capsule_end(void *capsule);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
