// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.config;

import java.util.List;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.ValueKind;

/** The keys in {@code yarn-site.xml} for the market's REST and pages. */
public final class WebKeys {
    static final String PREFIX = "yarn.scheduler.heddle.market.http.";

    public static final ConfigKey<String> MASTER_KEY = new ConfigKey<>(
            PREFIX + "master-key",
            ValueKind.TEXT,
            "",
            "The secret from which the secrets of all API keys are derived: at least 32 random bytes in base64 (`openssl rand"
                    + " -base64 32`). It is read through Hadoop's credential providers: keep it in a jceks file, not in"
                    + " yarn-site.xml. All ResourceManagers of a cluster need the same one. Without it no request can be signed.");

    public static final ConfigKey<String> FORMER_MASTER_KEYS = new ConfigKey<>(
            PREFIX + "former-master-keys",
            ValueKind.TEXT,
            "",
            "Former master keys, separated by commas: API keys that were made with them stay valid. They are read in the same"
                    + " way as the master key.");

    public static final ConfigKey<String> ADMINS = new ConfigKey<>(
            PREFIX + "admins",
            ValueKind.TEXT,
            "",
            "Administrators of the market, as a Hadoop access list: users, a blank, groups. If it is empty, the administrators are"
                    + " those of yarn.admin.acl, unless that is '*'. The user of the ResourceManager's process is always an administrator.");

    public static final ConfigKey<String> AUDITORS = new ConfigKey<>(
            PREFIX + "auditors",
            ValueKind.TEXT,
            "",
            "Users who may read everything, including the audit, and change nothing; an access list.");

    public static final ConfigKey<String> VIEWERS = new ConfigKey<>(
            PREFIX + "viewers",
            ValueKind.TEXT,
            "",
            "Users who may see the five numbers of every account; an access list.");

    public static final ConfigKey<String> MANAGERS = new ConfigKey<>(
            PREFIX + "managers",
            ValueKind.TEXT,
            "",
            "Users who manage accounts: USER=ACCOUNT, separated by commas. The user also manages all accounts below that"
                    + " account; for example `carol=science,dave=science.physics`.");

    public static final ConfigKey<String> INSECURE_ROLE = new ConfigKey<>(
            PREFIX + "insecure-role",
            new ValueKind<>("viewer or none", text -> {
                if (!text.equals("viewer") && !text.equals("none")) {
                    throw new IllegalArgumentException();
                }
                return text;
            }),
            "viewer",
            "Rights of unsigned callers in a cluster without Kerberos, where every user can use any name. viewer: they see the"
                    + " five numbers of every account, as on the paper's page. none: they see only the price. Changes must be"
                    + " signed in either case.");

    public static final ConfigKey<Boolean> TRUST_USER_NAME = new ConfigKey<>(
            PREFIX + "insecure-trust-user-name",
            ValueKind.TRUE_OR_FALSE,
            "false",
            "Whether user.name is trusted in a cluster without Kerberos, for changes too. Every user can then spend the"
                    + " credits of every other user: use it only for trials.");

    public static final ConfigKey<Long> SIGNATURE_WINDOW_MS = new ConfigKey<>(
            PREFIX + "signature.window-ms",
            ValueKind.MILLIS,
            "60000",
            "Maximum age of the signature of a request, in milliseconds.");

    public static final ConfigKey<Long> SIGNATURE_AHEAD_MS = new ConfigKey<>(
            PREFIX + "signature.ahead-ms",
            ValueKind.MILLIS,
            "10000",
            "Maximum time by which the clock of a signer is ahead, and by which the clocks of two ResourceManagers differ, in"
                    + " milliseconds. For this time after it became active, a ResourceManager refuses signed requests that only"
                    + " read.");

    public static final ConfigKey<Integer> REQUESTS_PER_ADDRESS = new ConfigKey<>(
            PREFIX + "limit.address-per-second",
            ValueKind.count(1),
            "1000",
            "Maximum number of requests a second from one address (an IPv6 /64 is one address) without a valid signature; twice"
                    + " as many in a burst. Signed requests are verified beyond this limit, up to the same number for each key id,"
                    + " so that other clients behind the same address cannot keep them out.");

    public static final ConfigKey<Integer> REQUESTS_PER_KEY = new ConfigKey<>(
            PREFIX + "limit.key-per-second",
            ValueKind.count(1),
            "100",
            "Maximum number of requests a second that are signed with one key; twice as many in a burst.");

    public static final ConfigKey<Integer> FAILURES_PER_ADDRESS = new ConfigKey<>(
            PREFIX + "limit.failures-per-second",
            ValueKind.count(1),
            "5",
            "Maximum number of wrong signatures a second with one key id from one address; four times as many in a burst. Further"
                    + " ones are answered with status 429. Requests with a correct signature are not affected.");

    public static final ConfigKey<Integer> CHANGES_PER_ACCOUNT = new ConfigKey<>(
            PREFIX + "limit.changes-per-account-day",
            ValueKind.count(1),
            "10000",
            "Maximum number of changes of one account by users within a day (spending rates and transfers), because"
                    + " each stays in the ledger and in the audit. Administrators are not limited.");

    public static final ConfigKey<Integer> KEYS_PER_OWNER = new ConfigKey<>(
            PREFIX + "limit.keys-per-owner-day",
            ValueKind.count(1),
            "50",
            "Maximum number of keys that are created or rotated for one owner within a day. Keys can always be revoked.");

    public static final ConfigKey<Integer> KEEP_ENDED_KEYS_DAYS = new ConfigKey<>(
            PREFIX + "keep-ended-keys-days",
            ValueKind.count(0),
            "90",
            "Time for which revoked and expired keys are listed, in days; then the next change of a key removes them. Of one"
                    + " owner at most the last 20 are kept. The audit keeps their history.");

    /** Every key, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            MASTER_KEY,
            FORMER_MASTER_KEYS,
            ADMINS,
            AUDITORS,
            VIEWERS,
            MANAGERS,
            INSECURE_ROLE,
            TRUST_USER_NAME,
            SIGNATURE_WINDOW_MS,
            SIGNATURE_AHEAD_MS,
            REQUESTS_PER_ADDRESS,
            REQUESTS_PER_KEY,
            FAILURES_PER_ADDRESS,
            CHANGES_PER_ACCOUNT,
            KEYS_PER_OWNER,
            KEEP_ENDED_KEYS_DAYS);

    private WebKeys() {}
}
