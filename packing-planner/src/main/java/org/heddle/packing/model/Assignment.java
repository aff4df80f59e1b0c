// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.List;

/**
 * What one job gets in a phase: a role, VMs and a time.
 *
 * @param job its name
 * @param role what its VMs are
 * @param vms VM count, &gt;= 1
 * @param start seconds from the start of the plan
 * @param seconds how long it runs here
 * @param fraction part of the job's whole work done here; 1 unless the plan is malleable
 * @param placement one entry per VM
 */
public record Assignment(
        String job, Role role, int vms, double start, double seconds, double fraction, List<Vm> placement) {
    public Assignment {
        placement = List.copyOf(placement);
    }

    /** Seconds from the start of the plan to its end here. */
    public double end() {
        return start + seconds;
    }

    /** The same assignment with its VMs placed. */
    public Assignment placedOn(List<Vm> where) {
        return new Assignment(job, role, vms, start, seconds, fraction, where);
    }
}
