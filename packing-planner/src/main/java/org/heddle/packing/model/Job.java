// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import org.jspecify.annotations.Nullable;

/**
 * One job of a problem.
 *
 * @param name unique within the problem
 * @param model its run time
 * @param cpu CPU intensive (C_j): its VMs may be extras
 * @param io I/O intensive (O_j): its VMs may host extras
 * @param command how to start it on a cluster; null if the problem is for planning only
 */
public record Job(
        String name,
        RuntimeModel model,
        boolean cpu,
        boolean io,
        @Nullable JobCommand command) {
    public Job(String name, RuntimeModel model, boolean cpu, boolean io) {
        this(name, model, cpu, io, null);
    }

    /** Whether the class of this job allows the role. */
    public boolean mayBe(Role role) {
        return switch (role) {
            case NORMAL -> true;
            case HOST -> io;
            case EXTRA -> cpu;
        };
    }
}
