// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.auth;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.http.config.WebSettings;
import org.heddle.market.security.Caller;
import org.heddle.market.security.Caller.How;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.Role;

/** The roles of each user, from the access lists of the configuration. */
public final class UserRoles {
    private static final String NO_USER = " ";

    private final WebSettings settings;
    private final AccessControlList admins;
    private final AccessControlList auditors;
    private final AccessControlList viewers;
    private final String processUser;

    public UserRoles(WebSettings settings, Configuration conf) {
        this.settings = settings;
        admins = new AccessControlList(admins(conf));
        auditors = list(WebKeys.AUDITORS.read(conf::get));
        viewers = list(WebKeys.VIEWERS.read(conf::get));
        try {
            processUser = UserGroupInformation.getLoginUser().getShortUserName();
        } catch (IOException e) {
            throw new IllegalStateException("the login user of the ResourceManager is unknown", e);
        }
    }

    private static String admins(Configuration conf) {
        String ours = WebKeys.ADMINS.read(conf::get);
        if (!ours.isBlank()) {
            return ours;
        }
        String yarns = conf.get(YarnConfiguration.YARN_ADMIN_ACL, YarnConfiguration.DEFAULT_YARN_ADMIN_ACL);
        return yarns.strip().equals("*") ? NO_USER : yarns;
    }

    private static AccessControlList list(String text) {
        return new AccessControlList(text.isBlank() ? NO_USER : text);
    }

    /** A caller with an authenticated name. */
    public Caller known(String user, How how) {
        if (user.equals(KeyRing.OPERATOR)) {
            return new Caller(user, how, EnumSet.of(Role.ADMIN), Set.of());
        }
        UserGroupInformation ugi = UserGroupInformation.createRemoteUser(user);
        Set<Role> roles = EnumSet.of(Role.USER);
        if (user.equals(processUser) || admins.isUserAllowed(ugi)) {
            roles.add(Role.ADMIN);
        }
        if (auditors.isUserAllowed(ugi)) {
            roles.add(Role.AUDITOR);
        }
        if (viewers.isUserAllowed(ugi)) {
            roles.add(Role.VIEWER);
        }
        Set<String> managed = settings.managed().getOrDefault(user, Set.of());
        if (!managed.isEmpty()) {
            roles.add(Role.MANAGER);
        }
        return new Caller(user, how, roles, managed);
    }

    /** The caller of an unsigned request, with the name from the web server; empty for none. */
    public Caller unsigned(String user) {
        if (!user.isEmpty() && settings.secure()) {
            return known(user, How.CLUSTER);
        }
        if (!user.isEmpty() && settings.trustUserName()) {
            return known(user, How.CLUSTER);
        }
        Set<Role> roles =
                settings.viewerForAll() && !settings.secure() ? EnumSet.of(Role.VIEWER) : EnumSet.noneOf(Role.class);
        return new Caller(user, How.NOTHING, roles, Set.of());
    }
}
