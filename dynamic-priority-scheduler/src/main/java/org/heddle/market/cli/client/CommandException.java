// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

/** A command that failed; the user reads the message. */
public final class CommandException extends RuntimeException {
    /** The market refused the request. */
    public static final int REFUSED = 1;
    /** The command line, a file or the connection is wrong. */
    public static final int WRONG = 2;

    private static final long serialVersionUID = 1L;
    private final int exitCode;

    public CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
