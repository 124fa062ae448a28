/* ---- stands for <stddef.h>, which exported texts include by themselves */
