// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.Locale;

/** What the VMs of a job are in a plan (paper sections 3 and 5.2). */
public enum Role {
    /** One VM per disk, nothing overcommitted on its machines. */
    NORMAL,
    /** An I/O intensive job whose machines also carry extras; B_j = 1 in the paper. Runs alpha times longer. */
    HOST,
    /**
     * A CPU intensive job whose VMs run beside those of hosts, without a disk of their own; B'_j = 1 in the paper. Runs
     * alpha times longer.
     */
    EXTRA;

    /** Name in files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
