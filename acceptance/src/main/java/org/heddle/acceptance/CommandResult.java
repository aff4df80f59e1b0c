// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

/** What a command left behind. */
public record CommandResult(String command, int exit, String out, String err) {
    /** This, if the command succeeded. */
    public CommandResult orFail() {
        if (exit != 0) {
            throw new AssertionError(toString());
        }
        return this;
    }

    /** Both outputs. */
    public String text() {
        return out + err;
    }

    @Override
    public String toString() {
        return command + " ended with " + exit + "\n--- standard output\n" + out + "\n--- standard error\n" + err;
    }
}
