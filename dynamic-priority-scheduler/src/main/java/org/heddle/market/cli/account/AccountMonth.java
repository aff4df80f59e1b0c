// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** The exact sums of the statement of one account, or of all, in a month. In credits. */
final class AccountMonth {
    static final String[] HEAD = {
        "account",
        "deposits",
        "income",
        "transfers in",
        "paid out",
        "charged",
        "refunded",
        "waived",
        "slot-hours",
        "last balance"
    };
    private static final BigDecimal HOUR_MILLIS = BigDecimal.valueOf(3_600_000);

    private final String account;
    private BigDecimal deposits = BigDecimal.ZERO;
    private BigDecimal income = BigDecimal.ZERO;
    private BigDecimal transfersIn = BigDecimal.ZERO;
    private BigDecimal paidOut = BigDecimal.ZERO;
    private BigDecimal charged = BigDecimal.ZERO;
    private BigDecimal refunded = BigDecimal.ZERO;
    private BigDecimal waived = BigDecimal.ZERO;
    private BigDecimal slotMillis = BigDecimal.ZERO;
    private @Nullable String balance;

    AccountMonth(String account) {
        this.account = account;
    }

    /** Adds a line of the statement. */
    void add(JsonNode line) {
        BigDecimal amount = new BigDecimal(line.get("amount").asText());
        slotMillis = slotMillis.add(new BigDecimal(line.get("slotMillis").asText()));
        balance = line.get("balance").asText();
        switch (line.get("kind").asText()) {
            case "charge" -> charged = charged.subtract(amount);
            case "refund" -> refunded = refunded.add(amount);
            case "waiver" -> waived = waived.add(amount);
            case "deposit" -> deposits = deposits.add(amount);
            case "income" -> income = income.add(amount);
            case "transfer-in" -> transfersIn = transfersIn.add(amount);
            default -> paidOut = paidOut.subtract(amount);
        }
    }

    /** Adds another account, for the sum of all. */
    void add(AccountMonth other) {
        deposits = deposits.add(other.deposits);
        income = income.add(other.income);
        transfersIn = transfersIn.add(other.transfersIn);
        paidOut = paidOut.add(other.paidOut);
        charged = charged.add(other.charged);
        refunded = refunded.add(other.refunded);
        waived = waived.add(other.waived);
        slotMillis = slotMillis.add(other.slotMillis);
    }

    /** The cells of {@link #HEAD}. */
    String[] row() {
        return new String[] {
            account,
            plain(deposits),
            plain(income),
            plain(transfersIn),
            plain(paidOut),
            plain(charged),
            plain(refunded),
            plain(waived),
            slotHours(slotMillis),
            balance == null ? "-" : balance
        };
    }

    void writeTo(ObjectNode json) {
        json.put("account", account)
                .put("deposits", plain(deposits))
                .put("income", plain(income))
                .put("transfersIn", plain(transfersIn))
                .put("paidOut", plain(paidOut))
                .put("charged", plain(charged))
                .put("refunded", plain(refunded))
                .put("waived", plain(waived))
                .put("slotMillis", slotMillis.longValue())
                .put("lastBalance", balance);
    }

    static String slotHours(BigDecimal slotMillis) {
        return plain(slotMillis.divide(HOUR_MILLIS, 3, RoundingMode.HALF_UP));
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
