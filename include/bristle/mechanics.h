/* Contacts that work together: networks, joints, patches of contact, step rules, ensembles.
 *
 *   #include <bristle/mechanics.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     for (int i = 0; i < bristle_joint_kinds(); i++) {
 *       const bristle_joint_kind kind = (bristle_joint_kind)i;
 *       printf("%s %d ", bristle_joint_kind_text(kind), bristle_joint_dim(kind));
 *     }
 *   }
 * It prints "revolute 1 translational 1 cylindrical 2 spherical 3 universal 1 ".
 */
#ifndef BRISTLE_MECHANICS_H
#define BRISTLE_MECHANICS_H

#include "bristle/ensemble.h"
#include "bristle/joint.h"
#include "bristle/network.h"
#include "bristle/planar.h"
#include "bristle/steprule.h"

#endif
