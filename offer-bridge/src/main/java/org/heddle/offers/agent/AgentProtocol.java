// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

/**
 * The protocol between agent and bridge, over one connection that the agent opens. A frame is its length (int), its
 * kind (byte) and fields in {@link java.io.DataOutput} form; {@code bytes} is a length (int) and the bytes.
 *
 * <pre>
 * agent                                              bridge
 *   HELLO version container secret pid sandboxes       WELCOME version | refusal: the connection is closed
 *         limits live*                                 SETTLE seq                events up to there are stored
 *   EVENT seq what key fields      kept until SETTLE   LAUNCH ..                 once per key, repeats are ignored
 *   REPLY request ok bytes                             KILL key graceMillis
 *   PONG number kept deleted                           PING number                answered by the thread that obeys
 *                                                      HTTP_REPLY seq status type stream body
 *                                                      STREAM key once bytes     to the executor's event stream
 *                                                      READ request path offset length, LIST request path
 *                                                      QUIT
 * </pre>
 *
 * <p>PONG tells also how many sandboxes of ended processes the agent keeps and has deleted.
 */
public final class AgentProtocol {
    public static final int VERSION = 2;
    public static final int LARGEST = 64 << 20;
    /** From an agent. The largest ones are calls of executors (1 MiB) and lists of long names. */
    public static final int LARGEST_OF_AGENT = 8 << 20;

    /** Agent to bridge. */
    public static final byte HELLO = 1;

    public static final byte EVENT = 2;
    public static final byte REPLY = 3;
    public static final byte PONG = 4;

    /** Bridge to agent. */
    public static final byte WELCOME = 20;

    public static final byte SETTLE = 21;
    public static final byte LAUNCH = 22;
    public static final byte KILL = 23;
    public static final byte HTTP_REPLY = 24;
    public static final byte STREAM = 25;
    public static final byte READ = 26;
    public static final byte LIST = 27;
    public static final byte QUIT = 28;
    public static final byte PING = 29;

    /** Interval between two PINGs, in ms. */
    public static final long PING_MILLIS = 15_000;

    /** Kinds of EVENT: the process runs; fields: pid. */
    public static final byte STARTED = 1;

    /**
     * The process ended; fields: status (int, as waitpid gives it), killed (boolean), out of memory (boolean), reason
     * (bytes), the end of its output (bytes).
     */
    public static final byte EXITED = 2;

    /** Begin of the reason when a health check has ended the process. */
    public static final String UNHEALTHY = "health check failed";

    /** The process could not be started; fields: message (UTF). */
    public static final byte NOT_STARTED = 3;

    /** An executor's HTTP call; fields: content type (UTF), accept (UTF), body (bytes). */
    public static final byte CALL = 4;

    /** The executor has closed its event stream. */
    public static final byte STREAM_CLOSED = 5;

    /** The result of a probe; fields: whether it is a health check (boolean), good (boolean), found (int). */
    public static final byte PROBED = 6;

    private AgentProtocol() {}

    /** Why an agent of another version is refused, as a part of a sentence. */
    public static String otherVersion(int version) {
        return "it speaks version " + version + " of the protocol, and this bridge speaks version " + VERSION
                + "; agents are started from the bridge's own jar, so this one is of the bridge before an upgrade, and"
                + " its tasks are lost";
    }
}
