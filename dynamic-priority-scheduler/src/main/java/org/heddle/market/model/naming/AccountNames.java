// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.naming;

/** Names of accounts, which are those of queues without the leading {@code root.}. */
public final class AccountNames {
    private static final String ROOT = "root.";
    private static final int SHOWN = 80;

    private AccountNames() {}

    public static String account(String name) {
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
    }

    /** The printable and bounded form of a text from a request. */
    public static String shown(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return plain.length() <= SHOWN ? plain : plain.substring(0, SHOWN) + "...";
    }
}
