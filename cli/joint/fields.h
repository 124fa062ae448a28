/* Joint files that list the fields of Adams or MotionSolve. */
#ifndef CLI_JOINT_FIELDS_H
#define CLI_JOINT_FIELDS_H

#include "lab/scenario.h"

/* What a user should know about a joint: choices that the file left open, and fields that change nothing. */
enum { JOINT_NOTES = 6 };
typedef struct joint_notes {
  char text[JOINT_NOTES][400];
  int count;
} joint_notes;

/* The next note, empty; the last one again when all are taken. */
char *joint_note(joint_notes *notes);

/* The document has `fields`, a mapping or a pasted block: *tree is the same with the keys of a joint file. Free it,
   also after a fault. */
bristle_fault_kind joint_fields(const bristle_document *document, bristle_tree **tree, joint_notes *notes,
                                bristle_fault *fault);

/* A pasted block, `NAME = VALUE` with anything between, as a document of `NAME: VALUE`. */
bristle_fault_kind joint_pasted(const bristle_node *node, bristle_document **document, bristle_fault *fault);

#endif
