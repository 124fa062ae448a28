/* Random numbers and random compliances of networks, the same in every run. */
#ifndef TEST_COMPLIANCE_H
#define TEST_COMPLIANCE_H

enum { COMPLIANCE_MOST = 64 };

double any_between(double lo, double hi);
void any_again(void); /* from the first number: a test does not depend on those before it */
/* h times a random symmetric matrix with eigenvalues over `condition`, of mean diagonal h */
void random_compliance(int n, double condition, double h, double *w);
/* the same of a random serial arm */
void random_arm_compliance(int n, double h, double *w);

#endif
