// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.auth;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.http.config.WebSettings;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.Caller;
import org.heddle.market.security.Caller.How;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The roles of each user, from the access lists of the configuration and the members of accounts. */
public final class UserRoles {
    private static final Logger LOG = LoggerFactory.getLogger(UserRoles.class);
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

    /** The owner of a key, limited to its role. */
    public Caller of(ApiKey key, Market market) {
        if (!ApiKey.isOfAccount(key.owner())) {
            return known(key.owner(), How.SIGNATURE, market).limitedTo(key.cap());
        }
        String account = ApiKey.account(key.owner());
        Set<Role> roles = EnumSet.noneOf(Role.class);
        try {
            // A key of an account that had the name before is of no use.
            if (market.account(account).openedMillis() <= key.createdMillis()) {
                roles.add(Role.USER);
            }
        } catch (MarketException e) {
            LOG.debug("The key {} belongs to no account", key.id());
        }
        return new Caller(key.owner(), How.SIGNATURE, roles, Map.of(account, AccountRole.OWNER)).limitedTo(key.cap());
    }

    /** A caller with an authenticated name. */
    public Caller known(String user, How how, Market market) {
        if (user.equals(KeyRing.OPERATOR)) {
            return new Caller(user, how, EnumSet.of(Role.ADMIN), Map.of());
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
        Map<String, AccountRole> accounts = market.rolesOf(user);
        if (accounts.containsValue(AccountRole.MANAGER) || accounts.containsValue(AccountRole.OWNER)) {
            roles.add(Role.MANAGER);
        }
        return new Caller(user, how, roles, accounts);
    }

    /** The caller of an unsigned request, with the name from the web server; empty for none. */
    public Caller unsigned(String user, Market market) {
        if (!user.isEmpty() && settings.secure()) {
            return known(user, How.CLUSTER, market);
        }
        Set<Role> roles =
                settings.viewerForAll() && !settings.secure() ? EnumSet.of(Role.VIEWER) : EnumSet.noneOf(Role.class);
        return new Caller(user, How.NOTHING, roles, Map.of());
    }
}
