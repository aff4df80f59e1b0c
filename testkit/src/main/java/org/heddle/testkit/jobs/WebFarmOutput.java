// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

/** What {@code heddle webfarm} prints. */
public final class WebFarmOutput {
    private WebFarmOutput() {}

    /** Servers that serve now. */
    public static int servers(String printed) {
        return count(printed, "serves with ") - count(printed, "drains ") - count(printed, "has lost ");
    }

    private static int count(String text, String words) {
        return text.split(words, -1).length - 1;
    }
}
