// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

/** Ends a command with an exit code; the user sees the message. */
final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int exitCode;

    CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
