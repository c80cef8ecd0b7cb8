/** The lab for tests: a real Slurm of virtual nodes. */
package io.nightsweep.lab;
