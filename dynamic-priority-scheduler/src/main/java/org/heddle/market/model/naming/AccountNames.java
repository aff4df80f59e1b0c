// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.naming;

/** Names of accounts, which are those of queues without the leading {@code root.}, and who owns one. */
public final class AccountNames {
    private static final String ROOT = "root.";
    private static final int SHOWN = 80;

    private AccountNames() {}

    public static String account(String name) {
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
    }

    /** The paper's rule: who is called as the queue owns it; for a queue further down its last part counts. */
    public static boolean owns(String user, String account) {
        return account.equals(user) || account.endsWith("." + user);
    }

    /** What can be shown of something that a stranger sent. */
    public static String shown(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return plain.length() <= SHOWN ? plain : plain.substring(0, SHOWN) + "...";
    }
}
