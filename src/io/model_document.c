/* Model files: one contact each, or all joints of a robot ("robot.yaml#elbow"). */
#include "io/support.h"
#include "platform/platform.h"

#include <stdlib.h>

/* The model in a document: all of it, or where it is one of a robot that joint. */
static bristle_fault_kind find_model(const bristle_node *root, const char *joint, const bristle_node **model,
                                     bristle_fault *fault)
{
  const bristle_node *joints = bristle_node_find(root, "joints");
  char names[160], shown[EXCERPT];
  size_t used = 0;
  *model = root;
  if (!joints && !joint) return bristle_node_allow(root, "bristle|name|note|model|load|parameters|identified", fault);
  if (!joints)
    return bristle_node_fault(root, fault, "leave out what stands behind #", "the file is not one of a robot");
  bristle_fault_kind kind = bristle_node_allow(root, "bristle|robot|note|joints|identified", fault);
  if (!kind) kind = bristle_node_expect(joints, BRISTLE_NODE_MAP, fault);
  if (kind) return kind;
  if (joint && (*model = bristle_node_find(joints, joint))) {
    kind = bristle_node_expect(*model, BRISTLE_NODE_MAP, fault);
    return kind ? kind : bristle_node_allow(*model, "note|model|load|parameters|identified", fault);
  }
  for (const bristle_node *n = joints->child; n && used < sizeof names; n = n->next)
    used = text_append(names, sizeof names, used, "%s%s", used ? ", " : "the joints are ",
                       excerpt(n->key, strlen(n->key), shown));
  if (joint)
    return bristle_node_fault(joints, fault, used ? names : NULL, "there is no joint '%s'",
                              excerpt(joint, strlen(joint), shown));
  return bristle_node_fault(joints, fault, used ? names : NULL, "the file is one of a robot: name a joint behind #");
}

/* the name of the file, and the joint behind #; a file may have a # in its own name */
static bristle_fault_kind open_document(const char *path, const char **joint, bristle_document **document,
                                        bristle_fault *fault)
{
  const char *hash = strrchr(path, '#');
  platform_about about;
  *joint = hash && hash > path && platform_look(path, &about) ? hash + 1 : NULL;
  char *file = text_copy(path, *joint ? (size_t)(hash - path) : strlen(path));
  const bristle_fault_kind kind = file ? bristle_document_read(file, document, fault) : fault_memory(fault);
  free(file);
  return kind;
}

bristle_fault_kind bristle_model_document(const char *path, bristle_document **document, const bristle_node **model,
                                          bristle_fault *fault)
{
  const char *joint;
  *document = NULL, *model = NULL;
  bristle_fault_kind kind = open_document(path, &joint, document, fault);
  if (!kind) kind = find_model(bristle_document_root(*document), joint, model, fault);
  if (kind) {
    bristle_document_free(*document);
    *document = NULL;
  }
  return kind;
}
