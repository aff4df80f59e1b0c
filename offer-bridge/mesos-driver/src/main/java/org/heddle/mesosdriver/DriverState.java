// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

/**
 * The life of a driver, as Mesos documents it.
 *
 * <pre>
 * NOT_STARTED ──start──► RUNNING ──stop──► STOPPED
 *                          └──────abort──► ABORTED ──stop──► STOPPED
 * </pre>
 */
public enum DriverState {
    NOT_STARTED,
    RUNNING,
    ABORTED,
    STOPPED
}
