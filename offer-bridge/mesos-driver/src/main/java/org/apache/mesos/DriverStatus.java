// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos;

import org.apache.mesos.Protos.Status;
import org.heddle.mesosdriver.DriverState;

/** The states of a driver in Mesos' own type. */
final class DriverStatus {
    private DriverStatus() {}

    static Status of(DriverState state) {
        switch (state) {
            case NOT_STARTED:
                return Status.DRIVER_NOT_STARTED;
            case RUNNING:
                return Status.DRIVER_RUNNING;
            case ABORTED:
                return Status.DRIVER_ABORTED;
            default:
                return Status.DRIVER_STOPPED;
        }
    }
}
