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

    public static final ConfigKey<String> INSECURE_ROLE = new ConfigKey<>(
            PREFIX + "insecure-role",
            new ValueKind<>("viewer or none", text -> {
                if (!text.equals("viewer") && !text.equals("none")) {
                    throw new IllegalArgumentException();
                }
                return text;
            }),
            "none",
            "Rights of unsigned callers in a cluster without Kerberos, where every user can use any name. viewer: they see the"
                    + " five numbers of every account, as on the paper's page. none: they see only the price. Changes must be"
                    + " signed in either case.");

    /** Every key, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL =
            List.of(MASTER_KEY, FORMER_MASTER_KEYS, ADMINS, AUDITORS, VIEWERS, INSECURE_ROLE);

    private WebKeys() {}
}
