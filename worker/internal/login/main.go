// Command login is a front door of one's own, as a project may have it in frontdoor/main.go. A person
// logs in with a name and the key of the deployment (LOGIN_KEY), keeps a cookie for a day, and reaches
// the conversations that have the person's name.
package main

import (
	"crypto/subtle"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tributary-agents/tributary/worker"
)

const (
	cookie = "__Host-login"
	valid  = 24 * time.Hour
)

func main() {
	settings := worker.SettingsFrom(os.Getenv)
	door := worker.Handler(settings, time.Now, worker.Options{
		Authorize: authorize,
		Admit:     pages(settings, os.Getenv("LOGIN_KEY"), time.Now),
	})
	worker.Rehearse(settings, door)
	log.Fatal(worker.Serve(door))
}

// authorize lets a person in by the token in the cookie, and a program by its own.
func authorize(s worker.Settings, r *http.Request, to worker.Address, now time.Time) (worker.Access, error) {
	if held, err := r.Cookie(cookie); err == nil && r.Header.Get("Authorization") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+held.Value)
	}
	return worker.Authorize(s, r, to, now)
}

// pages answers POST /login, POST /logout and GET /me.
func pages(s worker.Settings, key string, now func() time.Time) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		name, given, _ := r.BasicAuth()
		if name == "" || key == "" || subtle.ConstantTimeCompare([]byte(given), []byte(key)) == 0 {
			http.Error(w, "The name or the key is wrong", http.StatusUnauthorized)
			return
		}
		expires := jwt.NewNumericDate(now().Add(valid))
		token, err := worker.Mint(s.Secret, worker.Claims{
			RegisteredClaims: jwt.RegisteredClaims{Subject: name, ExpiresAt: expires},
			AnyAgent:         true, Name: name,
		})
		if err != nil {
			http.Error(w, "This deployment has no login", http.StatusServiceUnavailable)
			return
		}
		http.SetCookie(w, held(token, valid))
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /logout", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, held("", -time.Second))
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /me", func(w http.ResponseWriter, r *http.Request) {
		found, err := r.Cookie(cookie)
		if err != nil {
			http.Error(w, "Nobody has logged in", http.StatusUnauthorized)
			return
		}
		claims, err := worker.Verify(s.Secret, found.Value, now())
		if err != nil {
			http.Error(w, "The login is over", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, claims.Subject)
	})
	return mux
}

// held returns the cookie that holds a token for a time; a negative time deletes it.
func held(token string, time time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: cookie, Value: token, Path: "/", MaxAge: int(time.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}
