// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.util.List;
import java.util.Locale;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.StatementLine;
import org.heddle.scheduler.http.RecordMapper;

/** A statement as CSV (RFC 4180), without any cell that a spreadsheet would run as a formula. */
final class StatementCsv {
    private static final String HEAD = "sequence,at,kind,epoch,amount,balance,rate,slotMillis,text\r\n";

    private static final String COSTS_HEAD = "application,name,user,count,first,last,slotMillis,charged\r\n";

    private StatementCsv() {}

    static String write(List<StatementLine> lines) {
        StringBuilder csv = new StringBuilder(HEAD);
        for (StatementLine line : lines) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%s,%s,%s,%s,%s,%s\r\n",
                    line.sequence(),
                    line.at(),
                    RecordMapper.word(line.kind()),
                    line.epoch(),
                    line.amount(),
                    line.balance(),
                    line.rate(),
                    line.slotMillis(),
                    text(line.text())));
        }
        return csv.toString();
    }

    static String writeCosts(List<ApplicationCost> costs) {
        StringBuilder csv = new StringBuilder(COSTS_HEAD);
        for (ApplicationCost cost : costs) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%s,%s,%s,%s,%s\r\n",
                    cost.application(),
                    text(cost.name()),
                    text(cost.user()),
                    cost.count(),
                    cost.first(),
                    cost.last(),
                    cost.slotMillis(),
                    cost.charged()));
        }
        return csv.toString();
    }

    private static String text(String text) {
        String harmless = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return '"' + harmless.replace("\"", "\"\"") + '"';
    }
}
