// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

/** A framework or a job that shares the demo's cluster. */
interface Tenant extends AutoCloseable {
    /** The name of its YARN application. */
    String name();

    /** What it is, in a few words. */
    String about();

    /** How far it is, in a few words. */
    String progress();

    /** Why it ended before its time; empty while all is well. */
    String trouble();

    /** Ends it. */
    @Override
    void close();
}
