// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

/**
 * One broken rule.
 *
 * @param where path in the plan
 * @param text one sentence with the values
 */
public record Violation(Rule rule, String where, String text) {
    @Override
    public String toString() {
        return rule + " at " + where + ": " + text;
    }
}
