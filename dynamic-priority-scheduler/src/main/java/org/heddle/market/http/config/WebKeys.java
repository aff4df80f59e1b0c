// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.config;

import java.util.List;
import org.heddle.scheduler.model.ConfigKey;
import org.heddle.scheduler.model.ValueKind;

/** The keys in {@code yarn-site.xml} for the market's REST and pages. */
public final class WebKeys {
    static final String PREFIX = "yarn.scheduler.heddle.market.http.";

    private static final ValueKind<String> TEXT = new ValueKind<>("text", text -> text);
    private static final ValueKind<Boolean> YES_OR_NO = new ValueKind<>("true or false", text -> switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw new IllegalArgumentException();
    });

    public static final ConfigKey<String> MASTER_KEY = new ConfigKey<>(
            PREFIX + "master-key",
            TEXT,
            "",
            "The secret from which the secrets of all API keys follow: at least 32 random bytes in base64 (`openssl"
                    + " rand -base64 32`). Read through Hadoop's credential providers, so keep it in a jceks file rather"
                    + " than in yarn-site.xml. All ResourceManagers of a cluster need the same. Without it no request can"
                    + " be signed.");

    public static final ConfigKey<String> FORMER_MASTER_KEYS = new ConfigKey<>(
            PREFIX + "former-master-keys",
            TEXT,
            "",
            "Former master keys, divided by commas: keys that were made with them stay good. Read as the master key"
                    + " is.");

    public static final ConfigKey<String> ADMINS = new ConfigKey<>(
            PREFIX + "admins",
            TEXT,
            "",
            "Administrators of the market, as Hadoop writes access lists: users, a blank, groups. Without it those of"
                    + " yarn.admin.acl, unless that is '*'. The user that the ResourceManager runs as always is one.");

    public static final ConfigKey<String> AUDITORS = new ConfigKey<>(
            PREFIX + "auditors",
            TEXT,
            "",
            "Who may read everything, the audit too, and change nothing; an access list.");

    public static final ConfigKey<String> VIEWERS = new ConfigKey<>(
            PREFIX + "viewers", TEXT, "", "Who may see the five numbers of every account; an access list.");

    public static final ConfigKey<String> MANAGERS = new ConfigKey<>(
            PREFIX + "managers",
            TEXT,
            "",
            "Who runs whose accounts: USER=ACCOUNT, divided by commas, where the account stands for all below it too;"
                    + " for example `carol=science,dave=science.physics`.");

    public static final ConfigKey<String> INSECURE_ROLE = new ConfigKey<>(
            PREFIX + "insecure-role",
            new ValueKind<>("viewer or none", text -> {
                if (!text.equals("viewer") && !text.equals("none")) {
                    throw new IllegalArgumentException();
                }
                return text;
            }),
            "viewer",
            "What unsigned callers may do in a cluster without Kerberos, where anybody may call himself anything:"
                    + " viewer sees every account's five numbers, as the paper's page shows them, none sees only the"
                    + " price. Changes have to be signed in either case.");

    public static final ConfigKey<Boolean> TRUST_USER_NAME = new ConfigKey<>(
            PREFIX + "insecure-trust-user-name",
            YES_OR_NO,
            "false",
            "Takes user.name of a cluster without Kerberos for the truth, for changes too. Anybody can then spend"
                    + " anybody's credits: for trying out only.");

    public static final ConfigKey<Long> SIGNATURE_WINDOW_MS = new ConfigKey<>(
            PREFIX + "signature.window-ms", ValueKind.MILLIS, "60000", "How old the signature of a request may be.");

    public static final ConfigKey<Long> SIGNATURE_AHEAD_MS = new ConfigKey<>(
            PREFIX + "signature.ahead-ms",
            ValueKind.MILLIS,
            "10000",
            "How far a signer's clock may be ahead, and how far the clocks of two ResourceManagers may be apart. For"
                    + " so long after it took over, a ResourceManager refuses signed requests that only read.");

    public static final ConfigKey<Integer> REQUESTS_PER_ADDRESS = new ConfigKey<>(
            PREFIX + "limit.address-per-second",
            ValueKind.count(1),
            "1000",
            "Requests a second from one address (an IPv6 /64 counts as one); twice as many in a burst.");

    public static final ConfigKey<Integer> REQUESTS_PER_KEY = new ConfigKey<>(
            PREFIX + "limit.key-per-second",
            ValueKind.count(1),
            "100",
            "Requests a second signed with one key; twice as many in a burst.");

    public static final ConfigKey<Integer> FAILURES_PER_ADDRESS = new ConfigKey<>(
            PREFIX + "limit.failures-per-second",
            ValueKind.count(1),
            "5",
            "Signatures a second from one address that may be wrong before it has to wait; four times as many in a"
                    + " burst.");

    public static final ConfigKey<String> LEGACY_USERS_FILE = new ConfigKey<>(
            PREFIX + "legacy-users-file",
            TEXT,
            "",
            "File of users and secrets for the recipe of 2009 (HMAC-SHA1 over the query) at /scheduler; lines USER ROLE"
                    + " SECRET. Without it that recipe is off. It signs neither method, host nor body: use it only with"
                    + " clients that know nothing better.");

    public static final ConfigKey<Boolean> LEGACY_BARE_INFO = new ConfigKey<>(
            PREFIX + "legacy-bare-info",
            YES_OR_NO,
            "false",
            "Leaves out the element <queue> around one queue's numbers, as the code of 2009 did and the paper does"
                    + " not.");

    public static final ConfigKey<String> PEERS = new ConfigKey<>(
            PREFIX + "peers",
            TEXT,
            "",
            "Markets of other clusters whose prices are shown beside ours: NAME=URL, divided by commas, where the URL"
                    + " is the ResourceManager's, for example `pine=https://rm.pine.example.org:8090`.");

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
            LEGACY_USERS_FILE,
            LEGACY_BARE_INFO,
            PEERS);

    private WebKeys() {}
}
