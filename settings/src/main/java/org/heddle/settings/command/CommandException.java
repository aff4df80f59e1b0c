// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.command;

/** A command that ends without success; its message is the sentence that the user reads. */
public final class CommandException extends RuntimeException {
    /** What was asked for failed or was refused, or the answer is no. */
    public static final int FAILED = 1;
    /** The command line, or a file or address that it names, is wrong. */
    public static final int WRONG = 2;

    private static final long serialVersionUID = 1L;
    private final int exitCode;

    /** @param exitCode {@link #FAILED}, {@link #WRONG}, or a code of the command's own */
    public CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
