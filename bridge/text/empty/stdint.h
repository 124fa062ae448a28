/* ---- stands for <stdint.h>, which exported texts include by themselves */
