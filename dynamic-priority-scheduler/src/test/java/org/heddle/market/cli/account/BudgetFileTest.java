// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.settings.command.CommandException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class BudgetFileTest {
    @Test
    void theFileOf2009IsRead() {
        assertThat(BudgetFile.parse(
                        "hadoop.budget",
                        List.of(
                                "queue1 9972.00000000000000000000 0.11000000000000000000",
                                "",
                                "root.queue2 10000.0 0")))
                .containsExactly(
                        new AccountImport("queue1", Credits.of(9_972), SpendingRate.parse("0.11")),
                        new AccountImport("queue2", Credits.of(10_000), SpendingRate.ZERO));
    }

    @Test
    void everyProblemIsReportedWithItsLine() {
        assertThatThrownBy(() -> BudgetFile.parse(
                        "b.txt",
                        List.of(
                                "# account budget rate",
                                "alice many 1",
                                "bob 1 2",
                                "carol 1",
                                "bob 3 4",
                                "d/e 1 1",
                                "eve -1 1",
                                "fred 1 -1")))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("b.txt: nothing was imported")
                .hasMessageContaining("line 2: ")
                .hasMessageContaining("many")
                .hasMessageContaining("line 4: the line has 2 words; write ACCOUNT BUDGET RATE")
                .hasMessageContaining("line 5: account bob is in line 3 already")
                .hasMessageContaining("line 6: 'd/e' is not the name of an account")
                .hasMessageContaining("line 7: the budget -1 is below 0")
                .hasMessageContaining("line 8: ")
                .hasMessageNotContainingAny("line 1:", "line 3:");
    }

    @Test
    void anEmptyFileIsRefused() {
        assertThatThrownBy(() -> BudgetFile.parse("b.txt", List.of("# nothing")))
                .hasMessageContaining("the file has no account");
    }
}
