// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;

/**
 * The storage of a log does not answer, is still starting, or is full: what failed may work later; whoever can wait
 * should.
 */
public final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean fullDisk;

    /** A full disk stays one if it is the cause. */
    public UnavailableException(String message, Throwable cause) {
        this(message, cause, cause instanceof UnavailableException && ((UnavailableException) cause).fullDisk);
    }

    private UnavailableException(String message, Throwable cause, boolean fullDisk) {
        super(message, cause);
        this.fullDisk = fullDisk;
    }

    static UnavailableException ofFullDisk(String message, IOException cause) {
        return new UnavailableException(message, cause, true);
    }

    /** Whether it is a disk without room: a process that starts waits for that, too. */
    public boolean isFullDisk() {
        return fullDisk;
    }
}
