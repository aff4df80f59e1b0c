// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

/**
 * Something that must be so for the demo to succeed.
 *
 * @param what the statement that is checked
 * @param holds whether it is so
 * @param seen what was seen
 */
record Check(String what, boolean holds, String seen) {
    static Check equal(String what, Object expected, Object seen) {
        boolean same = expected.equals(seen);
        return new Check(what, same, same ? String.valueOf(seen) : "expected " + expected + ", got " + seen);
    }
}
