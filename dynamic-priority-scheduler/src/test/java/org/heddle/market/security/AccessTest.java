// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.security.Access.Action;
import org.heddle.market.security.Caller.How;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
    private static boolean may(Caller caller, Action action, String account) {
        return Access.allows(caller, action, account, String::equals);
    }

    /**
     * x: any account, o: their own, m: those they manage, -: none. In the order of {@link Role}, a caller without a
     * role first.
     */
    @ParameterizedTest
    @CsvSource({
        "READ_MARKET,    x x x x x x",
        "READ_ACCOUNT,   - x o m x x",
        "READ_STATEMENT, - - o m x x",
        "SET_RATE,       - - o m - x",
        "QUOTE,          - - o m - x",
        "TAKE,           - - o m - x",
        "DELEGATE,       - - o m - x",
        "GIVE_OWNERSHIP, - - o - - x",
        "MINT,           - - - - - x",
        "ADMINISTER,     - - - - - x",
        "AUDIT,          - - - - x x",
        "READ_ALL_KEYS,  - - - - x x",
    })
    void theTableHolds(Action action, String rights) {
        String[] of = rights.split(" ", -1);
        List<Set<Role>> callers = new ArrayList<>(List.of(EnumSet.noneOf(Role.class)));
        EnumSet.allOf(Role.class).forEach(role -> callers.add(EnumSet.of(role)));
        for (int i = 0; i < of.length; i++) {
            Set<Role> roles = callers.get(i);
            Caller alice = new Caller("alice", How.CLUSTER, roles, Map.of("science", AccountRole.MANAGER));
            String who = action + " by " + roles;
            assertThat(may(alice, action, "bob")).as(who).isEqualTo(of[i].equals("x"));
            assertThat(may(alice, action, "scienceless")).as(who).isEqualTo(of[i].equals("x"));
            assertThat(may(alice, action, "alice")).as(who).isEqualTo(of[i].matches("[xo]"));
            assertThat(may(alice, action, "science")).as(who).isEqualTo(of[i].matches("[xm]"));
            assertThat(may(alice, action, "science.physics")).as(who).isEqualTo(of[i].matches("[xm]"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "VIEWER, USER MANAGER",
        "USER, USER",
        "MANAGER, USER MANAGER",
        "AUDITOR, ''",
        "ADMIN, USER MANAGER",
    })
    void aLimitedKeyNeverDoesMoreThanItsOwnerMay(Role cap, String left) {
        Caller owner = new Caller("alice", How.SIGNATURE, EnumSet.of(Role.USER, Role.MANAGER), Map.of());
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String word : left.isBlank() ? new String[0] : left.split(" ", -1)) {
            roles.add(Role.valueOf(word));
        }

        assertThat(owner.limitedTo(cap).roles()).isEqualTo(roles);
        assertThat(owner.limitedTo(cap).readsOnly()).isEqualTo(cap == Role.VIEWER);
        assertThat(may(owner.limitedTo(cap), Action.SET_RATE, "alice"))
                .isEqualTo(cap != Role.VIEWER && cap != Role.AUDITOR);
    }

    /** Else a key that was limited could make itself one that is not. */
    @ParameterizedTest
    @CsvSource({"VIEWER, ''", "USER, VIEWER USER", "MANAGER, VIEWER USER MANAGER", "AUDITOR, AUDITOR"})
    void aLimitedKeyCannotMakeOneThatMayMore(Role cap, String gives) {
        Caller limited = new Caller("root", How.SIGNATURE, EnumSet.allOf(Role.class), Map.of()).limitedTo(cap);

        for (Role role : EnumSet.allOf(Role.class)) {
            assertThat(limited.mayGive(role))
                    .as("%s", role)
                    .isEqualTo(List.of(gives.split(" ", -1)).contains(role.name()));
        }
    }

    @ParameterizedTest
    @CsvSource({"VIEWER", "USER", "AUDITOR", "MANAGER"})
    void anAdministratorsLimitedKeyHasOnlyThatRole(Role cap) {
        Caller admin = new Caller("root", How.SIGNATURE, EnumSet.of(Role.ADMIN), Map.of());

        assertThat(admin.limitedTo(cap).roles()).containsExactly(cap);
        assertThat(may(admin.limitedTo(cap), Action.MINT, "alice")).isFalse();
    }
}
