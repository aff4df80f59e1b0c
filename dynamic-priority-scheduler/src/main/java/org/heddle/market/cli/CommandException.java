// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

/** A command that cannot go on; the message is what the user reads. */
final class CommandException extends RuntimeException {
    /** The market said no. */
    static final int REFUSED = 1;
    /** The command line, a file or the connection is wrong. */
    static final int WRONG = 2;

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
