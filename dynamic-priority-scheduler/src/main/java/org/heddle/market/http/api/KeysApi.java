// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.security.Access;
import org.heddle.market.security.Access.Action;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.Caller;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.Role;
import org.jspecify.annotations.Nullable;

/** The routes of the JSON API for keys. Users manage their own keys, administrators manage all. */
public final class KeysApi {
    private static final long DAY_MILLIS = 86_400_000L;
    private static final long LONGEST_DAYS = 3_650;
    private static final long GRACE_SECONDS = 3_600;

    private final @Nullable KeyRing ring;

    /** @param ring null if there is no master key */
    public KeysApi(@Nullable KeyRing ring) {
        this.ring = ring;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("keys", this::list),
                Route.change("POST", "keys", this::issue, "owner", "role", "days"),
                Route.change("POST", "keys/{owner}/{number}/rotation", this::rotate, "graceSeconds"),
                Route.change("DELETE", "keys/{owner}/{number}", this::revoke));
    }

    private KeyRing ring() throws RefusedException {
        if (ring == null) {
            throw RefusedException.unavailable("this cluster has no master key for API keys; an administrator must set "
                    + WebKeys.MASTER_KEY.name());
        }
        return ring;
    }

    private ApiResponse list(ApiRequest x) throws RefusedException {
        KeyRing keys = ring();
        boolean all = x.may(Action.READ_ALL_KEYS, Access.NO_ACCOUNT);
        if (!all) {
            demandProof(x);
        }
        return ApiResponse.ok(new MarketJson.Keys(keys.list(null).stream()
                .filter(key -> all || key.owner().equals(x.caller().name()) || isManaged(x, key.owner()))
                .map(key -> MarketJson.Key.of(key, keys.lastUsedMillis(key), x.nowMillis()))
                .toList()));
    }

    private ApiResponse issue(ApiRequest x) throws RefusedException, MarketException {
        KeyRing keys = ring();
        String owner = x.text("owner", x.caller().name());
        demandOwner(x, owner);
        Role role = Role.of(x.text("role", Role.USER.word()));
        if (ApiKey.isOfAccount(owner)) {
            checkAccount(x, owner, role);
        } else if (!x.caller().mayGive(role)) {
            throw RefusedException.forbidden(
                    "a key cannot have the role " + role.word() + ", because you do not have it; choose another role");
        }
        long days = x.number("days", 0L, 0, LONGEST_DAYS);
        x.countKey(owner);
        long notAfter = days == 0 ? Long.MAX_VALUE : x.nowMillis() + days * DAY_MILLIS;
        return issued(keys.issue(owner, role, notAfter, x.mutation(), x.nowMillis()), x);
    }

    private static void checkAccount(ApiRequest x, String owner, Role role) throws RefusedException, MarketException {
        x.market().account(ApiKey.account(owner));
        if (role != Role.USER && role != Role.VIEWER) {
            throw RefusedException.badRequest("a key of an account has the role user or viewer, not " + role.word());
        }
    }

    private ApiResponse rotate(ApiRequest x) throws RefusedException {
        KeyRing keys = ring();
        demandOwner(x, x.path().get(0));
        ApiKey old = keys.existing(id(x));
        if (!ApiKey.isOfAccount(old.owner()) && !x.caller().mayGive(old.cap())) {
            throw RefusedException.forbidden(
                    "the key " + old.id() + " has more permissions than the key that you use; rotate it with itself");
        }
        long grace = x.number("graceSeconds", GRACE_SECONDS, 0, 30L * 86_400) * 1_000;
        x.countKey(old.owner());
        return issued(keys.rotate(old.id(), grace, x.mutation(), x.nowMillis()), x);
    }

    private ApiResponse revoke(ApiRequest x) throws RefusedException {
        KeyRing keys = ring();
        demandOwner(x, x.path().get(0));
        ApiKey revoked = keys.revoke(id(x), x.mutation(), x.nowMillis());
        return ApiResponse.ok(
                new MarketJson.OneKey(MarketJson.Key.of(revoked, keys.lastUsedMillis(revoked), x.nowMillis())));
    }

    private static String id(ApiRequest x) {
        return x.path().get(0) + "/" + x.path().get(1);
    }

    private static ApiResponse issued(KeyRing.Issued issued, ApiRequest x) {
        ApiResponse answer = ApiResponse.json(
                ApiResponse.CREATED,
                new MarketJson.NewKey(
                        MarketJson.Key.of(issued.key(), 0, x.nowMillis()),
                        issued.secret(),
                        x.market().status().terms().clusterId()));
        return new ApiResponse(
                answer.status(), answer.contentType(), answer.body(), Map.of("Cache-Control", "no-store"));
    }

    /** Whether the caller manages the account that keys belong to. */
    private static boolean isManaged(ApiRequest x, String owner) {
        return ApiKey.isOfAccount(owner) && x.may(Action.DELEGATE, ApiKey.account(owner));
    }

    private static void demandOwner(ApiRequest x, String owner) throws RefusedException {
        demandProof(x);
        if (x.caller().readsOnly()) {
            throw RefusedException.forbidden("a key with the role viewer cannot change keys; use another one");
        }
        boolean own = Objects.equals(owner, x.caller().name()) && !ApiKey.isOfAccount(owner);
        if (!own && !x.caller().is(Role.ADMIN) && !isManaged(x, owner)) {
            throw RefusedException.forbidden("only administrators of the market may manage keys of other users, and"
                    + " only its owners and managers those of an account");
        }
    }

    private static void demandProof(ApiRequest x) throws RefusedException {
        if (x.caller().roles().isEmpty() || x.caller().how() == Caller.How.NOTHING) {
            x.demand(Action.ADMINISTER, Access.NO_ACCOUNT);
        }
    }
}
