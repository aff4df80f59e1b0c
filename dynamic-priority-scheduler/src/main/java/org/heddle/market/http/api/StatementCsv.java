// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.util.List;
import org.heddle.market.model.change.StatementLine;

/** A statement as CSV (RFC 4180), without any cell that a spreadsheet would run as a formula. */
final class StatementCsv {
    private static final String HEAD = "sequence,at,kind,epoch,amount,balance,rate,slotMillis,text\r\n";

    private StatementCsv() {}

    static String write(List<StatementLine> lines) {
        StringBuilder csv = new StringBuilder(HEAD);
        for (StatementLine line : lines) {
            csv.append(line.sequence())
                    .append(',')
                    .append(line.at())
                    .append(',')
                    .append(MarketJson.word(line.kind()))
                    .append(',')
                    .append(line.epoch())
                    .append(',')
                    .append(line.amount())
                    .append(',')
                    .append(line.balance())
                    .append(',')
                    .append(line.rate())
                    .append(',')
                    .append(line.slotMillis())
                    .append(',')
                    .append(text(line.text()))
                    .append("\r\n");
        }
        return csv.toString();
    }

    private static String text(String text) {
        String harmless = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return '"' + harmless.replace("\"", "\"\"") + '"';
    }
}
