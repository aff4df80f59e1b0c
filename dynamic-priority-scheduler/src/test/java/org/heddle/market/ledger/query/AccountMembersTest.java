// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.heddle.market.model.change.AccountLife;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.model.change.MarketRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who owns an account, by record and by name. */
@Tag("pure")
class AccountMembersTest {
    private final AccountMembers members = new AccountMembers(List.of(
            AccountLife.of("users").with(Map.of(AccountMembers.EACH_USER, AccountRole.OWNER)),
            AccountLife.of("users.bob").with(Map.of("olga", AccountRole.OWNER, "max", AccountRole.MANAGER)),
            AccountLife.of("temp").with(Map.of("olga", AccountRole.OWNER)).closedAt(41, 1_000)));

    @Test
    void aNameOwnsAtTheTopAndWhereEachUserDoes() {
        assertThat(members.ownsByName("alice", "alice")).isTrue();
        assertThat(members.ownsByName("john.doe", "john_dot_doe")).isTrue();
        assertThat(members.ownsByName("hive", "prod.hive")).isFalse();
        assertThat(members.ownsByName("prod.hive", "prod.hive")).isFalse();
        assertThat(members.ownsByName("carol", "users.carol")).isTrue();
        assertThat(members.ownsByName("carol", "users.team.carol")).isFalse();
        assertThat(members.ownsByName("bob", "users.bob")).as("olga owns it").isFalse();
    }

    @Test
    void ownersAndManagersSpend() {
        assertThat(members.spenders("users.bob")).containsExactly("max", "olga");
        assertThat(members.spenders("users.carol")).containsExactly("carol");
        assertThat(members.spenders("alice")).containsExactly("alice");
        assertThat(members.spenders("prod.hive")).isEmpty();
    }

    @Test
    void whoOwnedAClosedAccountReadsIt() {
        assertThat(members.of("olga")).isEqualTo(Map.of("users.bob", AccountRole.OWNER, "temp~41", AccountRole.READER));
    }

    @Test
    void aRecordIsWhatWasWritten() {
        AccountLife life =
                AccountLife.of("a.b").with(Map.of("x=y", AccountRole.READER)).closedAt(7, 8);
        assertThat(AccountLife.parse(life.record())).isEqualTo(life);
        assertThatThrownBy(() -> AccountLife.parse(new MarketRecord(AccountLife.OPEN, "a", "2 x")))
                .hasMessage("the account a has a record of the format '2', which is unknown to this version (known: 1);"
                        + " start the version that wrote it");
        assertThatThrownBy(() -> AccountLife.parse(new MarketRecord(AccountLife.OPEN, "a", "1 0 0 0 0 bob=king")))
                .hasMessage("the record of the account a is damaged");
    }
}
