// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import java.nio.file.Path;

/** Processor time since some moment in the past, in seconds. NaN where the system does not tell. */
public interface ProcessorTime {
    /** Of the machine that this program runs on. */
    static ProcessorTime ofThisMachine() {
        return new LinuxProcessorTime(Path.of("/proc"));
    }

    /** Of all programs on the machine, the time included that a hypervisor gave to other machines. */
    double machineSeconds();

    /** Of this program and of all that it started, those included that have ended. */
    double ownSeconds();
}
