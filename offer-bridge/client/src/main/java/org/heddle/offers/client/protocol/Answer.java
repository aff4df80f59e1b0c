// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

/** The answer to a call. */
public final class Answer {
    private final int status;
    private final String text;

    Answer(int status, String text) {
        this.status = status;
        this.text = text;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }

    /** The reason, if the call was refused. */
    public String text() {
        return text;
    }

    /** Whether the master took the call: 202, as a rule. */
    public boolean isAccepted() {
        return status / 100 == 2;
    }

    /** Whether the same call would be refused again: it is wrong. A call of a stream that has ended is not wrong. */
    public boolean isWrong() {
        return status == 400 && !text.contains("stream ID");
    }
}
